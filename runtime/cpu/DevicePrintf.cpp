/// \file
/// printf of device code: clang packs the arguments into a buffer with each at its natural alignment; the format tells
/// how to take them out again.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

class Unpacker {
public:
  explicit Unpacker(const char *buffer) : at(buffer) {}
  template <class T> T take() {
    auto address = reinterpret_cast<uintptr_t>(at);
    address = (address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof value);
    at = reinterpret_cast<const char *>(address + sizeof(T));
    return value;
  }

private:
  const char *at;
};

/// One conversion, "%-8.3lf" say: its text and what decides on its argument.
struct Conversion {
  std::string text;
  char kind = 0;
  bool isLong = false;
  int stars = 0;
};

/// Reads from the character after '%'; leaves the position after the conversion.
Conversion parse(const char *&p) {
  Conversion c;
  c.text = "%";
  while (*p && std::strchr("-+ #0123456789.*hlLqjzt", *p)) {
    c.isLong |= *p == 'l' || *p == 'z' || *p == 'j' || *p == 't' || *p == 'q';
    c.stars += *p == '*';
    c.text += *p++;
  }
  if (*p) {
    c.kind = *p;
    c.text += *p++;
  }
  return c;
}

template <class T> int print(const Conversion &c, const int (&stars)[2], T value) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  if (c.stars == 2)
    return std::printf(c.text.c_str(), stars[0], stars[1], value);
  if (c.stars == 1)
    return std::printf(c.text.c_str(), stars[0], value);
  return std::printf(c.text.c_str(), value);
#pragma clang diagnostic pop
}

int printOne(const Conversion &c, Unpacker &arguments) {
  int stars[2] = {0, 0};
  for (int i = 0; i < c.stars && i < 2; ++i)
    stars[i] = arguments.take<int>();
  switch (c.kind) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'c':
    return c.isLong ? print(c, stars, arguments.take<int64_t>()) : print(c, stars, arguments.take<int32_t>());
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return print(c, stars, arguments.take<double>());
  case 's': {
    auto *text = arguments.take<const char *>();
    return print(c, stars, text ? text : "(null)");
  }
  case 'p':
    return print(c, stars, arguments.take<void *>());
  default:
    return std::fputs(c.text.c_str(), stdout);
  }
}

} // namespace

extern "C" int gpuad_printf(const char *format, const void *buffer) {
  Unpacker arguments(static_cast<const char *>(buffer));
  int count = 0;
  for (const char *p = format; *p;) {
    if (*p != '%') {
      size_t plain = std::strcspn(p, "%");
      std::fwrite(p, 1, plain, stdout);
      p += plain;
    } else if (p[1] == '%') {
      std::fputc('%', stdout);
      p += 2;
    } else {
      ++p;
      Conversion c = parse(p);
      printOne(c, arguments);
      ++count;
    }
  }
  return count;
}
