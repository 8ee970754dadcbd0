import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { root } from './step';

/** An export or declaration of a file by its name; `*` means all of them. */
export interface Reference {
  readonly path: string;
  readonly name: string;
}

interface Declaration {
  readonly text: string;
  readonly uses: readonly Reference[];
}

export interface Module {
  /** Declarations by name. Code that runs when the file is loaded has an empty name. */
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Exports with another name or from another file. */
  readonly reExports: ReadonlyMap<string, Reference>;
}

/** The files of this repository by path, with the declarations that each of their declarations uses at run time. */
export type ImportGraph = ReadonlyMap<string, Module>;

type Resolve = (from: string, specifier: string) => string | null;

const sourceFile = /\.(tsx?|mjs)$/;

/** The graph of all files in these folders. */
export function readImports(folders: readonly string[]): ImportGraph {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => sourceFile.test(path)),
  );
  return new Map(
    paths.map((path) => [
      path,
      readModule(path, readFileSync(join(root, path), 'utf8'), resolveInRepository),
    ]),
  );
}

/**
 * Parses one file without type information: a word in a declaration that equals an imported name counts as its use.
 * @param resolve returns the path of an imported file; null for a package
 */
export function readModule(path: string, source: string, resolve: Resolve): Module {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true, kind);
  const scope = new Map<string, Reference>();
  const reExports = new Map<string, Reference>();
  const texts = new Map<string, string>();
  const loadedModules: Reference[] = [];
  const addText = (name: string, text: string) =>
    texts.set(name, texts.has(name) ? `${texts.get(name)}\n${text}` : text);
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    if (ts.isImportDeclaration(statement)) {
      const from = resolve(path, textOf(statement.moduleSpecifier));
      if (from === null) continue;
      if (!statement.importClause) loadedModules.push({ path: from, name: '*' });
      for (const [local, name] of importedNames(statement)) scope.set(local, { path: from, name });
    } else if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier } = statement;
      const from = moduleSpecifier ? resolve(path, textOf(moduleSpecifier)) : path;
      if (from === null || statement.isTypeOnly) continue;
      for (const [name, exportedName] of exportedNames(statement))
        reExports.set(exportedName, { path: from, name });
    } else {
      const names = declaredNames(statement);
      for (const name of names.length > 0 ? names : ['']) addText(name, withoutComments(statement.getText()));
    }
  }
  const declarations = new Map(
    [...texts].map(([name, text]) => [name, { text, uses: usesIn(text, { path, scope, texts, resolve }) }]),
  );
  const { text = '', uses = [] } = declarations.get('') ?? {};
  return { declarations: declarations.set('', { text, uses: [...uses, ...loadedModules] }), reExports };
}

const textOf = (node: ts.Expression): string => (ts.isStringLiteral(node) ? node.text : '');

/** Removes comment lines, whose words are not names. */
const withoutComments = (text: string): string => text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');

function importedNames({ importClause }: ts.ImportDeclaration): [local: string, name: string][] {
  if (!importClause || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const { name, namedBindings } = importClause;
  const names: [string, string][] = name ? [[name.text, 'default']] : [];
  if (!namedBindings) return names;
  if (ts.isNamespaceImport(namedBindings)) return [...names, [namedBindings.name.text, '*']];
  const valueNames = namedBindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return [
    ...names,
    ...valueNames.map((specifier): [string, string] => [
      specifier.name.text,
      (specifier.propertyName ?? specifier.name).text,
    ]),
  ];
}

function exportedNames({ exportClause }: ts.ExportDeclaration): [name: string, exported: string][] {
  if (!exportClause || !ts.isNamedExports(exportClause)) return [['*', '*']];
  return exportClause.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => [(propertyName ?? name).text, name.text]);
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) return ['default'];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  if (!ts.isFunctionDeclaration(statement) && !ts.isClassDeclaration(statement)) return [];
  const isDefault = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  return [...(statement.name ? [statement.name.text] : []), ...(isDefault ? ['default'] : [])];
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));

function usesIn(
  text: string,
  {
    path,
    scope,
    texts,
    resolve,
  }: {
    readonly path: string;
    readonly scope: ReadonlyMap<string, Reference>;
    readonly texts: ReadonlyMap<string, string>;
    readonly resolve: Resolve;
  },
): Reference[] {
  const uses: Reference[] = [];
  for (const [, word = '', member] of text.matchAll(
    /([A-Za-z_$][\w$]*)(?:\s*\??\.\s*([A-Za-z_$][\w$]*))?/g,
  )) {
    for (const name of member === undefined ? [word] : [word, member]) {
      const importedName = scope.get(name);
      if (importedName)
        uses.push(
          importedName.name === '*' && member && name === word
            ? { ...importedName, name: member }
            : importedName,
        );
      else if (texts.has(name)) uses.push({ path, name });
    }
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    const from = resolve(path, specifier);
    if (from !== null) uses.push({ path: from, name: '*' });
  }
  return uses;
}

/** The references that a referenced declaration or re-export leads to. */
export function referencesBehind(graph: ImportGraph, { path, name }: Reference): readonly Reference[] {
  const module = graph.get(path);
  if (!module) return [];
  const { declarations, reExports } = module;
  const allReferences = () => [
    ...[...declarations.keys()].map((declaredName) => ({ path, name: declaredName })),
    ...reExports.values(),
  ];
  if (name === '*') return allReferences();
  const loadedModule = { path, name: '' };
  const declaration = declarations.get(name);
  if (declaration) return name === '' ? declaration.uses : [...declaration.uses, loadedModule];
  const source = reExports.get(name);
  if (source) return [source];
  // A name that `export *` may re-export.
  return [...(reExports.has('*') ? [...reExports.values()] : allReferences())];
}

const endings = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'];

function resolveInRepository(from: string, specifier: string): string | null {
  if (!/^(\.|@\/)/.test(specifier)) return null;
  const path = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(dirname(from), specifier);
  const resolvedFile = endings.map((ending) => path + ending).find((file) => isFile(join(root, file)));
  return resolvedFile ?? null;
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
