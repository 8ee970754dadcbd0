import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** Pages take their texts from messages/, so that they can be translated. */

const root = join(import.meta.dirname, '..');
/** The API reference is English, because its texts come from the OpenAPI document. */
const englishPaths = [
  'app/(dashboard)/docs/',
  'app/api/',
  'components/docs/',
  // Replaces the root layout, which provides the language.
  'app/global-error.tsx',
];

/** Attributes and fields that pages show or announce. */
const visibleText =
  /^(aria-(label|description|roledescription|valuetext)|label|title|description|placeholder|alt|hint|text)$/;

/** Products, units, keys and addresses, which are equal in every language. */
const untranslatedNames =
  /\b(?:OBS Studio|GStreamer|WebRTC|YouTube|Twitch|Facebook|ffmpeg|curl|Node|Python|Go|Headwater|Logo|Native HLS|Rate control|Keyframe interval|[kM]bit\/s|ms)\b|\blsk_…|\w+:\/\/\S+/g;

/** A word: at least two letters, one of them in lower case. "RTMP", "H.264" and "·" are equal in every language. */
const isText = (text: string) => /\p{L}\p{Ll}|\p{Ll}\p{L}/u.test(text.replace(untranslatedNames, ''));

/** Whether a text starts like a sentence, for texts in any place: `toast.success('Stream deleted')`. */
const isSentence = (text: string) => isText(text) && /^\p{Lu}\p{Ll}+ [\p{L}\d]/u.test(text);

/** The text of a template, with placeholders for its values. */
const templateText = ({ head, templateSpans }: ts.TemplateExpression) =>
  [head.text, ...templateSpans.map(({ literal }) => literal.text)].join('0');

/** Operators whose operands are shown. Operands of comparisons are not: `open === 'edit' && <Form />`. */
const shownOperators: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/** Texts in the code of a file. */
function textsIn(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const texts: string[] = [];
  const noteLiterals = (node: ts.Node | undefined): void => {
    if (!node) return;
    if (ts.isStringLiteralLike(node)) noteText(node.text);
    else if (ts.isTemplateExpression(node))
      [node.head, ...node.templateSpans.map((span) => span.literal)].forEach((part) => noteText(part.text));
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(noteLiterals);
    else if (ts.isParenthesizedExpression(node) || ts.isJsxExpression(node)) noteLiterals(node.expression);
    else if (ts.isBinaryExpression(node) && shownOperators.has(node.operatorToken.kind))
      [node.left, node.right].forEach(noteLiterals);
  };
  const noteText = (text: string) => void (isText(text) && texts.push(text.trim()));
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) noteText(node.text);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) noteLiterals(node.expression);
    else if (ts.isJsxAttribute(node) && visibleText.test(node.name.getText(file)))
      noteLiterals(node.initializer);
    else if (ts.isPropertyAssignment(node) && visibleText.test(node.name.getText(file)))
      noteLiterals(node.initializer);
    else if (ts.isStringLiteralLike(node) && isSentence(node.text)) noteText(node.text);
    else if (ts.isTemplateExpression(node) && isSentence(templateText(node))) noteText(templateText(node));
    // Errors for programmers, and class names.
    if (ts.isNewExpression(node) || (ts.isJsxAttribute(node) && node.name.getText(file) === 'toastOptions'))
      return;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Set(texts)];
}

const pages = ['app', 'components']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
  .filter((path) => !englishPaths.some((englishPath) => path.startsWith(englishPath)));

describe('texts of pages are in messages/', () => {
  test.each(pages)('%s', (path) => expect(textsIn(path, readFileSync(join(root, path), 'utf8'))).toEqual([]));
});

test.each([
  'const a = <p>Hello</p>',
  'const a = <p>{live ? "Live" : "Ended"}</p>',
  'const a = <p>{`${count} viewers`}</p>',
  'const a = <p>{count > 0 && "some"}</p>',
  'const a = <button aria-label="Close" />',
  'const a = <Field label={isNew ? "New" : "Old"} />',
  'const a = { label: "Account" }',
  'toast.success("Stream deleted")',
  'toast.success(`Stream ${name} deleted`)',
])('%s is detected', (source) => expect(textsIn('a.tsx', source)).not.toEqual([]));

test.each([
  'const a = <p className="text-ink">{t("title")}</p>',
  'const a = <p>RTMP · {value}</p>',
  'const a = <p>{`${rate} Mbit/s`}</p>',
  'const a = <p>{open === "edit" && <Form />}</p>',
  'const a = { label: "OBS Studio" }',
  'const a = <Input placeholder="rtmp://live.example.com/app/key" />',
  'const a = <Field label={t("label")} name="label" />',
  'const a = <div className="grid gap-2" />',
])('%s is allowed', (source) => expect(textsIn('a.tsx', source)).toEqual([]));
