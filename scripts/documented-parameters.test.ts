import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Comments must name parameters that exist. A rename changes the code, but not the text of `@param`. */

const root = join(import.meta.dirname, '..');
const folders = ['app', 'bench', 'components', 'e2e', 'lib', 'media-worker', 'scripts', 'web'];
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith(join('lib', 'generated')));

/** The function that a documented declaration declares; undefined for other declarations. */
function functionOf(node: ts.Node): ts.SignatureDeclaration | undefined {
  const value = ts.isVariableStatement(node)
    ? node.declarationList.declarations[0]?.initializer
    : ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)
      ? node.initializer
      : ts.isPropertySignature(node) || ts.isTypeAliasDeclaration(node)
        ? node.type
        : node;
  return value && ts.isFunctionLike(value) ? value : undefined;
}

/** Documented parameters that the declaration does not have. */
function unknownParameters(text: string): string[] {
  const file = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const unknown: string[] = [];
  const visit = (node: ts.Node): void => {
    const range = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
    const comment = range && text.slice(range.pos, range.end);
    const declared = comment?.includes('@param') === true ? functionOf(node) : undefined;
    if (comment !== undefined && declared) {
      const names = new Set(
        declared.parameters.flatMap((parameter) => parameter.getText(file).match(/\w+/g) ?? []),
      );
      for (const [, name = ''] of comment.matchAll(/@param (\w+)/g)) if (!names.has(name)) unknown.push(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return unknown;
}

test('@param names parameters that exist', () => {
  expect(files.length).toBeGreaterThan(2_000);
  const faults = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return text.includes('@param') ? unknownParameters(text).map((name) => `${path}: ${name}`) : [];
  });
  expect(faults).toEqual([]);
});

test.each([
  ['/** @param from start */ function cut(start: number) {}', ['from']],
  ['/** @param from start */ const cut = (start: number) => start;', ['from']],
  ['interface A {\n/** @param from start */ cut(start: number): void }', ['from']],
  ['class A {\n/** @param from start */ cut({ start }: Range) {} }', ['from']],
  ['/** @param start first second */ function cut({ start }: { start: number }) {}', []],
  ['/** @param start, @param end seconds */ const cut = (start: number, end: number) => end - start;', []],
])('unknown parameters are found: %s', (text, unknown) => expect(unknownParameters(text)).toEqual(unknown));
