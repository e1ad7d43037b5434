//===- TypeOrigins.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/TypeOrigins.h"

#include "frontend/SourceMap.h"
#include "frontend/TemplateLowering.h"
#include "frontend/TypeLowering.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::frontend {

using clang::dyn_cast;
using ir::TypeOrigin;

namespace {
class OriginFinder {
public:
  OriginFinder(const SourceMap &sources, const TypeLowering &types) : sources(sources), types(types) {}

  void type(clang::QualType written) {
    const clang::Type *node = written.getTypePtr();
    if (auto *alias = dyn_cast<clang::TypedefType>(node))
      return this->alias(*alias->getDecl());
    if (auto *pointer = written->getAs<clang::PointerType>())
      return type(pointer->getPointeeType());
    if (written->isReferenceType())
      return type(written.getNonReferenceType());
    if (auto *array = written->getAsArrayTypeUnsafe())
      return type(array->getElementType());
    if (auto *over = written->getAs<clang::TemplateSpecializationType>(); over && written->isDependentType()) {
      for (const clang::TemplateArgument &argument : over->template_arguments())
        if (argument.getKind() == clang::TemplateArgument::Type)
          type(argument.getAsType());
      if (auto *of = dyn_cast_or_null<clang::ClassTemplateDecl>(over->getTemplateName().getAsTemplateDecl()))
        this->tag(*of->getTemplatedDecl());
      return;
    }
    if (const clang::TagDecl *tag = written->getAsTagDecl())
      this->tag(*tag);
  }
  std::vector<TypeOrigin> found;

private:
  /// The #include of the main file through which a declaration is seen; null: its own, or
  /// one that the command line gives.
  std::optional<std::string> includeOf(clang::SourceLocation location) const {
    const clang::SourceManager &manager = sources.sources();
    clang::FileID file = manager.getFileID(manager.getExpansionLoc(location));
    clang::SourceLocation place = manager.getIncludeLoc(file);
    while (place.isValid() && !manager.isWrittenInMainFile(place))
      place = manager.getIncludeLoc(manager.getFileID(place));
    if (place.isInvalid())
      return std::nullopt;
    auto [main, offset] = manager.getDecomposedLoc(place);
    llvm::StringRef text = manager.getBufferData(main);
    size_t begin = text.take_front(offset).rfind('\n') + 1; // npos + 1 is 0
    llvm::StringRef line = text.substr(begin).split('\n').first.trim();
    size_t open = line.find_first_of("<\""), close = line.find_last_of(">\"");
    bool isPlain = line.starts_with("#") && open != llvm::StringRef::npos && close > open;
    return isPlain ? std::optional<std::string>("#include " + line.slice(open, close + 1).str()) : std::nullopt;
  }

  /// Whether nothing has to be said in front: a type of a header; then its #include is noted.
  bool isOfHeader(const clang::NamedDecl &declaration) {
    if (sources.inMainFile(declaration.getLocation()))
      return false;
    if (std::optional<std::string> include = includeOf(declaration.getLocation())) {
      TypeOrigin made;
      made.include = *include;
      add(std::move(made));
    }
    return true;
  }

  void alias(const clang::TypedefNameDecl &declaration) {
    if (isOfHeader(declaration))
      return;
    const clang::TagDecl *tag = declaration.getUnderlyingType()->getAsTagDecl();
    if (tag && !tag->getIdentifier()) // typedef struct {...} name;
      return declare(declaration, "");
    type(declaration.getUnderlyingType());
    if (!declaration.getDeclContext()->isFunctionOrMethod() && !declaration.getDeclContext()->isRecord())
      declare(declaration, "using " + declaration.getNameAsString() + " = " +
                               types.spell(declaration.getUnderlyingType().getCanonicalType()) + ";");
  }

  void tag(const clang::TagDecl &declaration) {
    if (const clang::TypedefNameDecl *name = declaration.getTypedefNameForAnonDecl())
      return alias(*name);
    const clang::NamedDecl *named = &declaration;
    auto *record = dyn_cast<clang::CXXRecordDecl>(&declaration);
    const clang::ClassTemplateDecl *of = record ? record->getDescribedClassTemplate() : nullptr;
    if (auto *instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration)) {
      for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray())
        if (argument.getKind() == clang::TemplateArgument::Type)
          type(argument.getAsType());
      of = instance->getSpecializedTemplate();
    }
    if (of)
      named = of;
    if (isOfHeader(*named))
      return;
    if (auto *enumeration = dyn_cast<clang::EnumDecl>(&declaration)) {
      std::string kind = enumeration->isScoped() ? "enum class " : "enum ";
      return declare(*named, enumeration->isFixed() ? kind + named->getNameAsString() + " : " +
                                                          types.spell(enumeration->getIntegerType()) + ";"
                                                    : "");
    }
    std::string header = of ? templateHeader(*of, types, sources) + " " : "";
    bool isClass = declaration.getTagKind() == clang::TagTypeKind::Class;
    const char *kind = isClass ? "class " : declaration.isUnion() ? "union " : "struct ";
    declare(*named, header + kind + named->getNameAsString() + ";");
  }

  /// Without a text: it cannot be declared apart from its definition.
  void declare(const clang::NamedDecl &declaration, const std::string &text) {
    TypeOrigin made;
    made.name = declaration.getQualifiedNameAsString();
    made.declaration = text;
    for (const clang::DeclContext *scope = declaration.getDeclContext(); scope; scope = scope->getParent()) {
      auto *space = dyn_cast<clang::NamespaceDecl>(scope);
      if (space)
        made.namespaces.insert(made.namespaces.begin(), space->getNameAsString());
      if (scope->isRecord() || scope->isFunctionOrMethod() || (space && space->isInline()))
        made.declaration.clear();
    }
    add(std::move(made));
  }

  void add(TypeOrigin one) {
    if (!llvm::is_contained(found, one))
      found.push_back(std::move(one));
  }

  const SourceMap &sources;
  const TypeLowering &types;
};
} // namespace

std::vector<TypeOrigin> originsOf(clang::QualType type, const SourceMap &sources, const TypeLowering &types) {
  OriginFinder finder(sources, types);
  finder.type(type);
  return std::move(finder.found);
}

} // namespace gpuad::frontend
