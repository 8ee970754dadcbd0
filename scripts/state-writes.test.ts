import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Only the *-state.ts files of lib/core decide states: docs/adr/0004-state-machines.md. */
const root = join(import.meta.dirname, '..');
const stateColumns = ['phase', 'state', 'recording'];
const handwrittenSql = /\bset\b((?!\bwhere\b)[^])*"(phase|state|recording)" *= *'/i;

/** The node that uses an object literal, ignoring `as const` and spreads. */
function holderOf(object: ts.Node): ts.Node {
  const { parent } = object;
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) return holderOf(parent);
  if (ts.isSpreadAssignment(parent)) return holderOf(parent.parent);
  return parent;
}

/** Whether an object literal is used to create or change a row, judged by the node that uses it. */
function isWritten(object: ts.Node): boolean {
  const holder = holderOf(object);
  if (ts.isCallExpression(holder)) return ts.isIdentifier(holder.expression);
  if (ts.isPropertyAssignment(holder)) return /^(data|create|update)$/.test(holder.name.getText());
  return ts.isVariableDeclaration(holder) && /^(data|change|update)$/.test(holder.name.getText());
}

function isHandwritten(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return handwrittenSql.test(node.getText());
  }
  return (
    ts.isPropertyAssignment(node) &&
    stateColumns.includes(node.name.getText()) &&
    ts.isStringLiteral(
      ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer,
    ) &&
    isWritten(node.parent)
  );
}

/** `file:line` of each hard-coded state. */
function handwrittenStates(file: string, text: string): string[] {
  // Skip parsing for most files.
  if (!/phase|state|recording/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isHandwritten(node)) {
      findings.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return findings;
}

test('finds hard-coded states in writes but not in conditions', () => {
  const text = `
    db.task.updateMany({ where: { phase: 'running' }, data: { phase: 'waiting' } });
    db.task.updateMany({ where: { phase: 'running' }, data: { ...{ phase: 'waiting' } } });
    const data = { state: 'live' } as const;
    leave(tx, { phase: 'failed' as const });
    db.$executeRaw\`update "A" set "x" = \${1}, "y" = 2, "state" = 'x' where "state" = 'y'\`;
    db.$executeRaw\`update "A" set "x" = 1 where "state" = 'y'\`;
    const where = { state: 'live' };
    db.task.update({ where, data: { phase: taskMachine.stateAfter('failed') } });`;
  expect(handwrittenStates('f', text)).toEqual(['f:2', 'f:3', 'f:4', 'f:5', 'f:6']);
  expect(handwrittenStates('f', 'q`update "A" set "state" = \'x\'`')).toEqual(['f:1']);
});

test('no file outside lib/core writes a hard-coded state', () => {
  const files = ['lib', 'media-worker', 'app']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /(?<!\.d|\.test)\.ts$/.test(file))
    .filter((file) => !/^lib\/(core|contract|client|generated)\/|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => handwrittenStates(file, readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  );
});
