//===- TypeLowering.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/TypeLowering.h"

#include "frontend/SourceMap.h"
#include "frontend/TypeOrigins.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Type.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuad::frontend {

using namespace ir;

TypeLowering::TypeLowering(const clang::ASTContext &context, const SourceMap &sources, ClassQuery classNamed)
    : context(context), sources(sources), classNamed(std::move(classNamed)), printing(context.getLangOpts()) {
  printing.SuppressTagKeyword = true;
  printing.FullyQualifiedName = true;
  printing.SuppressUnwrittenScope = true;
  printing.SuppressInlineNamespace = llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
  printing.SplitTemplateClosers = false;
  printing.Bool = true;
  printing.UsePreferredNames = false;
  printing.Restrict = false;
  for (const clang::Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
    if (auto *outer = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
      for (const clang::UsingDirectiveDecl *use : outer->using_directives())
        addVersion(*outer, *use->getNominatedNamespace());
}

/// Clang leaves out inline namespaces by itself.
void TypeLowering::addVersion(const clang::NamespaceDecl &outer, const clang::NamespaceDecl &inner) {
  bool isVersion =
      inner.getName().starts_with("__") && inner.getParent()->getPrimaryContext() == outer.getPrimaryContext();
  std::string name = outer.getNameAsString() + "::" + inner.getNameAsString();
  if (isVersion && !llvm::is_contained(versions, name))
    versions.push_back(name);
}

std::string TypeLowering::withoutVersions(std::string name) const {
  for (llvm::StringRef version : versions) {
    size_t outer = version.find("::");
    for (size_t at; (at = name.find((version + "::").str())) != std::string::npos;)
      name.erase(at + outer, version.size() - outer);
  }
  return name;
}

std::string TypeLowering::spell(clang::QualType type) const {
  return withoutVersions(type.getUnqualifiedType().getAsString(printing));
}

static bool isLocalName(const clang::TypedefNameDecl &declaration) {
  return declaration.getDeclContext()->isFunctionOrMethod() || declaration.getDeclContext()->isRecord();
}

/// Whether a type among template arguments, at any depth, is written by a name that other functions do not see.
/// Whether the expression names something that is declared in a class or function: its name means nothing elsewhere.
static bool namesLocally(const clang::Stmt *expression) {
  if (!expression)
    return false;
  auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  if (reference && !reference->getQualifier() &&
      (reference->getDecl()->getDeclContext()->isRecord() ||
       reference->getDecl()->getDeclContext()->isFunctionOrMethod()))
    return true;
  return llvm::any_of(expression->children(), [](const clang::Stmt *child) { return namesLocally(child); });
}

static bool namesLocally(clang::QualType type) {
  if (auto *alias = type->getAs<clang::TypedefType>(); alias && isLocalName(*alias->getDecl()))
    return true;
  if (type->isPointerType() || type->isReferenceType())
    return namesLocally(type->getPointeeType());
  auto *instance = type->getAs<clang::TemplateSpecializationType>();
  return instance && llvm::any_of(instance->template_arguments(), [](const clang::TemplateArgument &argument) {
           if (argument.getKind() == clang::TemplateArgument::Expression)
             return namesLocally(argument.getAsExpr());
           return argument.getKind() == clang::TemplateArgument::Type && namesLocally(argument.getAsType());
         });
}

/// One step nearer to a type that can be named anywhere: placeholders, what a
/// template parameter stands for, and aliases declared inside functions go.
clang::QualType TypeLowering::withoutLocalSugar(clang::QualType type) const {
  for (;;) {
    const clang::Type *node = type.getTypePtr();
    bool strip = false;
    if (auto *alias = llvm::dyn_cast<clang::TypedefType>(node)) {
      const clang::TypedefNameDecl *declaration = alias->getDecl();
      clang::QualType underlying = declaration->getUnderlyingType();
      // Members of class templates name their parameters; arrays and pointers are spelled around the name.
      strip = isLocalName(*declaration) || underlying->isArrayType() || underlying->isReferenceType() ||
              (underlying->isPointerType() && !underlying->getPointeeType()->isIncompleteType());
    } else {
      strip = llvm::isa<clang::AutoType, clang::DecltypeType, clang::SubstTemplateTypeParmType, clang::DecayedType,
                        clang::AdjustedType, clang::ParenType, clang::AttributedType, clang::MacroQualifiedType,
                        clang::TypeOfType, clang::TypeOfExprType, clang::UsingType, clang::UnaryTransformType,
                        clang::DeducedTemplateSpecializationType>(node);
      if (auto *alias = llvm::dyn_cast<clang::TemplateSpecializationType>(node))
        strip = alias->isTypeAlias();
      if (!strip && llvm::isa<clang::TemplateSpecializationType>(node) && namesLocally(type))
        return type.getCanonicalType();
    }
    if (!strip)
      return type;
    clang::QualType next = type.getSingleStepDesugaredType(context);
    if (next == type)
      return type;
    type = next;
  }
}

Type TypeLowering::lower(clang::QualType type) {
  void *key = type.getAsOpaquePtr();
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  Type made = lowerUncached(type);
  known[key] = made;
  if (!made->spelling.empty() && typeOrigins.try_emplace(made->spelling).second)
    typeOrigins[made->spelling] = originsOf(withoutLocalSugar(type), sources, *this);
  return made;
}

/// Puts macros and named constants back where Clang keeps the number alone.
static Type withWrittenExtents(const Type &type, clang::TypeLoc written, const SourceMap &sources) {
  auto array = written.getAsAdjusted<clang::ArrayTypeLoc>();
  if (!array || !isArray(type))
    return type;
  auto made = std::make_shared<TypeNode>(*type);
  made->element = withWrittenExtents(type->element, array.getElementLoc(), sources);
  if (const clang::Expr *size = array.getSizeExpr(); size && made->extent) {
    if (std::optional<std::string> macro = sources.constantMacro(size->getSourceRange()))
      made->extentSpelling = *macro;
  }
  return made;
}

Type TypeLowering::lowerDeclared(const clang::DeclaratorDecl &declaration) {
  Type type = lower(declaration.getType());
  if (!isArray(type) || !declaration.getTypeSourceInfo())
    return type;
  return withWrittenExtents(type, declaration.getTypeSourceInfo()->getTypeLoc(), sources);
}

Type TypeLowering::lowerValue(clang::QualType type) {
  return lower(type.getNonReferenceType().getUnqualifiedType());
}

static Type withQualifiers(const Type &type, clang::QualType from) {
  if (!from.isConstQualified() && !from.isVolatileQualified() && !from.isRestrictQualified())
    return type;
  auto made = std::make_shared<TypeNode>(*type);
  made->isConst |= from.isConstQualified();
  made->isVolatile |= from.isVolatileQualified();
  made->isRestrict |= from.isRestrictQualified();
  return made;
}

Type TypeLowering::lowerUncached(clang::QualType written) {
  clang::QualType type = withoutLocalSugar(written);
  clang::QualType canonical = type.getCanonicalType();
  if (auto *reference = canonical->getAs<clang::ReferenceType>()) {
    clang::QualType pointee = type->getAs<clang::ReferenceType>()->getPointeeTypeAsWritten();
    if (pointee->isReferenceType()) // T&& of a T that is a reference
      pointee = reference->getPointeeType();
    return referenceTo(lower(pointee));
  }
  if (canonical->isArrayType())
    return lowerArray(*context.getAsArrayType(type));
  if (canonical->isPointerType()) {
    clang::QualType pointee = type->getPointeeType();
    bool named = llvm::isa<clang::TypedefType>(type.getTypePtr());
    if (pointee->isFunctionType() || (named && pointee->isIncompleteType()))
      return withQualifiers(opaqueType(spell(type)), type);
    return withQualifiers(pointerTo(lower(pointee)), type);
  }
  if (auto *enumeration = canonical->getAs<clang::EnumType>()) {
    const clang::EnumDecl *declaration = enumeration->getDecl()->getDefinitionOrSelf();
    clang::QualType integer = declaration->getIntegerType();
    unsigned bits = integer.isNull() ? 32 : context.getTypeSize(integer);
    bool isSigned = integer.isNull() || integer->isSignedIntegerOrEnumerationType();
    auto made = std::make_shared<TypeNode>(*scalarType(ScalarKind::Int, bits, isSigned, spell(type)));
    made->isEnum = true;
    made->isReachable = isReachable(*declaration);
    return withQualifiers(made, type);
  }
  if (auto *builtin = canonical->getAs<clang::BuiltinType>())
    return withQualifiers(lowerBuiltin(type, *builtin), type);
  if (const clang::CXXRecordDecl *record = canonical->getAsCXXRecordDecl())
    return withQualifiers(lowerRecord(type, *record), type);
  return withQualifiers(opaqueType(spell(type)), type);
}

Type TypeLowering::lowerBuiltin(clang::QualType type, const clang::BuiltinType &builtin) {
  std::string spelling = spell(type);
  if (spelling == "__size_t")
    spelling = "size_t";
  else if (spelling == "__ptrdiff_t")
    spelling = "ptrdiff_t";
  switch (builtin.getKind()) {
  case clang::BuiltinType::Void:
    return voidType();
  case clang::BuiltinType::Bool:
    return scalarType(ScalarKind::Bool, 8, false, spelling);
  case clang::BuiltinType::Half:
  case clang::BuiltinType::Float16:
    return scalarType(ScalarKind::Half, 16, true, spelling);
  case clang::BuiltinType::BFloat16:
    return scalarType(ScalarKind::BFloat16, 16, true, spelling);
  case clang::BuiltinType::Float:
    return scalarType(ScalarKind::Float, 32, true, spelling);
  case clang::BuiltinType::Double:
    return scalarType(ScalarKind::Double, 64, true, spelling);
  case clang::BuiltinType::LongDouble:
    return scalarType(ScalarKind::LongDouble, 128, true, spelling);
  case clang::BuiltinType::NullPtr:
    return pointerTo(voidType());
  default:
    break;
  }
  if (builtin.isInteger())
    return scalarType(ScalarKind::Int, context.getTypeSize(&builtin), builtin.isSignedInteger(), spelling);
  return opaqueType(spelling);
}

Type TypeLowering::lowerArray(const clang::ArrayType &array) {
  Type element = lower(context.getQualifiedType(array.getElementType(), array.getIndexTypeQualifiers()));
  std::optional<uint64_t> extent;
  if (auto *constant = llvm::dyn_cast<clang::ConstantArrayType>(&array)) {
    extent = constant->getSize().getZExtValue();
  } else if (auto *dependent = llvm::dyn_cast<clang::DependentSizedArrayType>(&array)) { // in a template
    std::string spelling;
    llvm::raw_string_ostream stream(spelling);
    if (const clang::Expr *size = dependent->getSizeExpr())
      size->printPretty(stream, nullptr, printing);
    return arrayOf(element, std::nullopt, spelling);
  } else if (!llvm::isa<clang::IncompleteArrayType>(array)) {
    return opaqueType(spell(clang::QualType(&array, 0)));
  }
  return arrayOf(element, extent);
}

bool isVectorRecord(const clang::CXXRecordDecl &declaration) {
  const clang::SourceManager &manager = declaration.getASTContext().getSourceManager();
  if (!declaration.getIdentifier() || !declaration.getDeclContext()->isTranslationUnit() ||
      !manager.isInSystemHeader(manager.getExpansionLoc(declaration.getLocation())))
    return false;
  llvm::StringRef name = declaration.getName();
  if (name == "__half2" || name == "__nv_bfloat162")
    return true;
  for (llvm::StringRef base :
       {"char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "long", "ulong", "float", "double"})
    if (llvm::StringRef rest = name; rest.consume_front(base) && rest.size() == 1 && rest[0] >= '1' && rest[0] <= '4')
      return true;
  return false;
}

/// The 16-bit floating types of CUDA's headers are classes there, and scalars here.
static std::optional<ScalarKind> scalarClass(const clang::CXXRecordDecl &declaration) {
  if (!declaration.getIdentifier() || !declaration.getDeclContext()->isTranslationUnit())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<ScalarKind>>(declaration.getName())
      .Case("__half", ScalarKind::Half)
      .Case("__nv_bfloat16", ScalarKind::BFloat16)
      .Default(std::nullopt);
}

/// What loops of a derivative record is memory of the thread, to which `gpuad::records` points.
Type TypeLowering::memoryOfRecords(const clang::CXXRecordDecl &declaration, const std::string &spelling) {
  auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
  if (!instance || declaration.getQualifiedNameAsString() != "gpuad::records")
    return nullptr;
  auto made = std::make_shared<TypeNode>(*pointerTo(lower(instance->getTemplateArgs()[0].getAsType())));
  made->spelling = spelling;
  return made;
}

bool isHandle(const clang::CXXRecordDecl &definition) {
  return !definition.isUnion() && llvm::none_of(definition.fields(), [](const clang::FieldDecl *field) {
    return field->getAccess() == clang::AS_public;
  });
}

bool isPlainUtility(const clang::CXXRecordDecl &definition) {
  return definition.isInStdNamespace() && !definition.isUnion() && definition.hasTrivialDestructor() &&
         definition.hasTrivialCopyConstructor();
}

static bool holdsReference(const clang::CXXRecordDecl &definition) {
  auto holds = [](clang::QualType type) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return type->isReferenceType() || (record && record->hasDefinition() && holdsReference(*record->getDefinition()));
  };
  return llvm::any_of(definition.fields(), [&](const clang::FieldDecl *field) { return holds(field->getType()); }) ||
         llvm::any_of(definition.bases(), [&](const clang::CXXBaseSpecifier &base) { return holds(base.getType()); });
}

Type TypeLowering::lowerRecord(clang::QualType type, const clang::CXXRecordDecl &declaration) {
  std::string spelling = spell(type);
  const clang::CXXRecordDecl *definition = declaration.getDefinition();
  if (sources.inSystemHeader(declaration.getLocation()))
    if (std::optional<ScalarKind> kind = scalarClass(declaration))
      return scalarType(*kind, 16, true, spelling);
  if (Type memory = memoryOfRecords(declaration, spelling))
    return memory;
  bool nameable = declaration.getIdentifier() || declaration.getTypedefNameForAnonDecl();
  if (!definition || !nameable || declaration.isLambda() || definition->isInvalidDecl() ||
      definition->isDependentType())
    return opaqueType(declaration.isLambda() ? "auto" : spelling);
  if (const LibraryClass *library = libraryClass(*definition); library && !library->elements.empty())
    if (Type made = lowerElements(*definition, *library, spelling))
      return made;
  // Classes of libraries that are more than their fields stay closed.
  if (sources.inSystemHeader(declaration.getLocation()) && !definition->isTriviallyCopyable() &&
      !isVectorRecord(*definition) && !isPlainUtility(*definition))
    return opaqueType(llvm::isa<clang::TypedefType>(type) ? spelling : spell(type.getCanonicalType()));
  if (holdsReference(*definition)) // which names an object outside
    return opaqueType(spelling);
  // Fields without a name cannot be set one by one.
  bool hasUnnamed = llvm::any_of(definition->fields(), [](const clang::FieldDecl *field) {
    return !field->isUnnamedBitField() && !field->getIdentifier();
  });
  if (definition->getNumVBases() != 0 || inProgress.lookup(definition) || (hasUnnamed && !definition->isUnion()))
    return opaqueType(spelling);
  std::shared_ptr<const RecordInfo> info = recordInfo(type, *definition);
  // A field that hides one of a base class: they are told apart by their names.
  llvm::StringSet<> names;
  for (const Field &field : info->fields)
    if (!names.insert(field.name).second)
      return opaqueType(spelling);
  Type made = recordType(std::move(info), spelling);
  bool isClosed = sources.inSystemHeader(declaration.getLocation()) && isHandle(*definition) && !reachesFloating(made);
  return isClosed ? opaqueType(spell(type.getCanonicalType())) : made;
}

/// Whether a field begins where the one before ends; alignas and padding part them.
static bool isDense(const clang::CXXRecordDecl &definition) {
  if (definition.isUnion() || definition.getNumBases() != 0 || definition.isDependentType())
    return false;
  const clang::ASTContext &context = definition.getASTContext();
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&definition);
  uint64_t end = 0;
  for (const clang::FieldDecl *field : definition.fields()) {
    if (field->isBitField() || layout.getFieldOffset(field->getFieldIndex()) != end)
      return false;
    end += context.getTypeSize(field->getType());
  }
  return true;
}

std::string TypeLowering::nameOf(const clang::FieldDecl &field) const {
  auto *parent = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  const LibraryClass *library = parent ? libraryClass(*parent) : nullptr;
  llvm::StringRef name = field.getName();
  return (library ? name.trim('_') : name).str();
}

bool TypeLowering::isTransparent(const clang::FieldDecl &field) const {
  auto *parent = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  const LibraryClass *library = parent ? libraryClass(*parent) : nullptr;
  const clang::CXXRecordDecl *record = field.getType()->getAsCXXRecordDecl();
  if (!library || !record || !record->hasDefinition())
    return false;
  auto how = library->fields.find(field.getNameAsString());
  return how != library->fields.end() && how->second == "*";
}

const LibraryClass *TypeLowering::libraryClass(const clang::CXXRecordDecl &declaration) const {
  bool isOfLibrary = sources.inSystemHeader(declaration.getLocation());
  return isOfLibrary ? classNamed(declaration.getQualifiedNameAsString()) : nullptr;
}

/// A class whose fields are its template arguments, whatever it keeps them in: a tuple.
Type TypeLowering::lowerElements(const clang::CXXRecordDecl &definition, const LibraryClass &library,
                                 const std::string &spelling) {
  auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&definition);
  if (!instance)
    return nullptr;
  std::shared_ptr<RecordInfo> &info = records[&definition];
  if (info)
    return recordType(info, spelling);
  auto made = std::make_shared<RecordInfo>();
  made->qualifiedName = spell(context.getCanonicalTagType(&definition));
  made->isOfFields = true;
  std::vector<clang::TemplateArgument> arguments;
  for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray())
    if (argument.getKind() == clang::TemplateArgument::Pack)
      llvm::append_range(arguments, argument.pack_elements());
    else
      arguments.push_back(argument);
  for (const clang::TemplateArgument &argument : arguments) {
    if (argument.getKind() != clang::TemplateArgument::Type || argument.getAsType()->isReferenceType())
      return nullptr;
    Field field;
    field.name = std::to_string(made->fields.size());
    field.accessor = library.elements + "<" + field.name + ">";
    field.type = lower(argument.getAsType());
    made->fields.push_back(std::move(field));
  }
  info = made;
  return recordType(info, spelling);
}

std::shared_ptr<const RecordInfo> TypeLowering::recordInfo(clang::QualType type,
                                                           const clang::CXXRecordDecl &definition) {
  std::shared_ptr<RecordInfo> &info = records[&definition];
  if (info)
    return info;
  auto made = std::make_shared<RecordInfo>();
  made->qualifiedName = spell(type.getCanonicalType());
  made->isVector = isVectorRecord(definition);
  made->isUnion = definition.isUnion();
  made->isReachable = isReachable(definition);
  made->isDense = isDense(definition);
  made->isOfFields = libraryClass(definition);
  made->isAggregate = made->isOfFields || (definition.isAggregate() && definition.getNumBases() == 0);
  made->hasDefaultConstructor = canBeDefaulted(definition);
  made->emptyIsZero = definition.hasTrivialDefaultConstructor();
  addBases(definition, 0, made->bases);
  inProgress[&definition] = true;
  if (!made->isUnion)
    addFields(definition, true, made->fields, isFriend(definition));
  inProgress[&definition] = false;
  records[&definition] = made;
  return made;
}

/// Whether the class says GPUAD_FRIEND.
bool isFriend(const clang::CXXRecordDecl &definition) {
  return llvm::any_of(definition.friends(), [](const clang::FriendDecl *one) {
    auto *befriended = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(one->getFriendDecl());
    return befriended && befriended->getQualifiedNameAsString() == "gpuad::access";
  });
}

bool isReachable(const clang::Decl &declaration) {
  for (const clang::Decl *one = &declaration; one && !llvm::isa<clang::FunctionDecl>(one);
       one = one->getDeclContext() ? clang::Decl::castFromDeclContext(one->getDeclContext()) : nullptr)
    if (one->getAccess() == clang::AS_private || one->getAccess() == clang::AS_protected)
      return false;
  return true;
}

/// Whether `T v;` compiles in a function of either side.
bool TypeLowering::canBeDefaulted(const clang::CXXRecordDecl &definition) const {
  for (const clang::CXXConstructorDecl *constructor : definition.ctors())
    if (constructor->isDefaultConstructor())
      return !constructor->isDeleted() && constructor->getAccess() == clang::AS_public &&
             (!constructor->isUserProvided() || constructor->hasAttr<clang::CUDADeviceAttr>() ||
              sources.inSystemHeader(constructor->getLocation()));
  if (!definition.hasDefaultConstructor())
    return false;
  auto canBe = [&](clang::QualType type) {
    const clang::CXXRecordDecl *record = context.getBaseElementType(type)->getAsCXXRecordDecl();
    return !record || !record->hasDefinition() || canBeDefaulted(*record->getDefinition());
  };
  return llvm::all_of(definition.bases(), [&](const auto &base) { return canBe(base.getType()); }) &&
         llvm::all_of(definition.fields(), [&](const clang::FieldDecl *field) {
           bool mustBeSet = field->getType()->isReferenceType() || field->getType().isConstQualified();
           return canBe(field->getType()) && (!mustBeSet || field->hasInClassInitializer());
         });
}

static unsigned numberOfFields(const clang::CXXRecordDecl &definition) {
  unsigned count = llvm::count_if(definition.fields(), [](const clang::FieldDecl *field) {
    return !field->isUnnamedBitField() && field->getIdentifier();
  });
  for (const clang::CXXBaseSpecifier &base : definition.bases())
    if (const clang::CXXRecordDecl *declaration = base.getType()->getAsCXXRecordDecl())
      count += numberOfFields(*declaration->getDefinition());
  return count;
}

void TypeLowering::addBases(const clang::CXXRecordDecl &definition, unsigned first, std::vector<BaseClass> &bases) {
  for (const clang::CXXBaseSpecifier &base : definition.bases()) {
    const clang::CXXRecordDecl *declaration = base.getType()->getAsCXXRecordDecl();
    if (!declaration || !declaration->getDefinition())
      continue;
    bases.push_back({spell(base.getType().getCanonicalType()), first});
    addBases(*declaration->getDefinition(), first, bases);
    first += numberOfFields(*declaration->getDefinition());
  }
}

void TypeLowering::addFields(const clang::CXXRecordDecl &definition, bool accessible, std::vector<Field> &fields,
                             bool open) {
  for (const clang::CXXBaseSpecifier &base : definition.bases())
    if (const clang::CXXRecordDecl *declaration = base.getType()->getAsCXXRecordDecl())
      if (const clang::CXXRecordDecl *inner = declaration->getDefinition())
        addFields(*inner, accessible && base.getAccessSpecifier() == clang::AS_public, fields, isFriend(*inner));
  const LibraryClass *library = libraryClass(definition);
  for (const clang::FieldDecl *field : definition.fields()) {
    if (field->isUnnamedBitField() || !field->getIdentifier())
      continue;
    Field made;
    made.name = nameOf(*field);
    // A bit field has no address, so it cannot be treated as memory of its type.
    made.isBitField = field->isBitField();
    made.type = made.isBitField ? opaqueType(spell(field->getType())) : lower(field->getType());
    made.accessible = accessible && field->getAccess() == clang::AS_public;
    made.throughFriend = !made.accessible && accessible && open;
    made.accessible |= made.throughFriend;
    if (isTransparent(*field)) {
      size_t first = fields.size();
      addFields(*field->getType()->getAsCXXRecordDecl()->getDefinition(), true, fields, false);
      for (Field &inner : llvm::drop_begin(fields, first)) {
        auto how = library->fields.find(field->getNameAsString() + "." + inner.name);
        inner.accessor = how == library->fields.end() ? "" : how->second;
        inner.accessible = how != library->fields.end();
      }
      continue;
    }
    if (library && library->fields.count(field->getNameAsString())) {
      made.accessor = library->fields.at(field->getNameAsString());
      made.accessible = true;
    }
    fields.push_back(std::move(made));
  }
}

} // namespace gpuad::frontend
