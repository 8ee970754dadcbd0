import type { ReasonCode } from './messages';

/**
 * Why something was refused or failed, for programs: a code with the parameters of its message. The service writes, stores
 * and logs messages; their codes are determined at the API (docs/adr/0032-texts-in-catalogues.md).
 */
export interface Reason {
  readonly code: ReasonCode;
  readonly params: Readonly<Record<string, string | number>>;
  /** The field of the request with which the message starts. */
  readonly field?: string;
  /** The nested reason of the message in `params.reason`. */
  readonly cause?: Reason;
}

interface Template {
  readonly code: ReasonCode;
  /** The fixed text before, between and after the parameters. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

type ReasonFinder = (message: string) => Reason | null;

/** Longer messages contain output of other programs, which has no code. */
const maxLength = 2_000;
const maxDepth = 3;

/**
 * Creates a function that determines the code of one of these messages.
 * @returns null for other messages, such as those of another server
 */
export function findReasons(messages: Readonly<Partial<Record<ReasonCode, string>>>): ReasonFinder {
  const exact = new Map<string, ReasonCode>();
  const templates: Template[] = [];
  for (const [code, message] of Object.entries(messages) as [ReasonCode, string][]) {
    const parts = message.split(/\{(\w+)\}/);
    const [texts, names] = [0, 1].map((side) => parts.filter((_, index) => index % 2 === side));
    if (parts.length === 1) exact.set(message, code);
    else templates.push({ code, texts: texts ?? [], names: names ?? [] });
  }
  const weight = ({ texts }: Template) => texts.join('').length;
  // The template with more fixed text wins: "must be at least {limit}" before "must be {json}".
  templates.sort((a, b) => weight(b) - weight(a));
  const find = (message: string, depth = 0): Reason | null => {
    if (message.length > maxLength || depth > maxDepth) return null;
    const code = exact.get(message);
    if (code) return { code, params: {} };
    for (const template of templates) {
      const values = valuesIn(message, template);
      if (values) return fillTemplate(template, values, (inner) => find(inner, depth + 1));
    }
    return null;
  };
  return (message) => find(message) ?? ofField(message, find);
}

const fieldFirst = /^([A-Za-z_][\w.[\]-]*): (.+)$/s;

function ofField(message: string, find: ReasonFinder): Reason | null {
  const [, field, description] = fieldFirst.exec(message.slice(0, maxLength)) ?? [];
  const reason = description === undefined ? null : find(description);
  return reason && field !== undefined ? { ...reason, field } : null;
}

/**
 * The parameters of a message, each up to the first occurrence of the text after it; null if the template does not match.
 */
function valuesIn(message: string, { texts, names }: Template): string[] | null {
  const [first = ''] = texts;
  const last = texts.at(-1) ?? '';
  if (!message.startsWith(first) || !message.endsWith(last)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next = texts[index + 1] ?? '';
    const end = isLast ? message.length - last.length : message.indexOf(next, at + 1);
    if (end <= at) return null;
    const value = message.slice(at, end);
    if (name === 'json' && !literal.test(value)) return null;
    values.push(value);
    at = end + next.length;
  }
  return values;
}

const literal = /^(".*"|-?\d[\d.]*|true|false|null)$/s;
const amount = /^-?\d{1,15}(\.\d{1,15})?$/;

function fillTemplate({ code, names }: Template, values: readonly string[], find: ReasonFinder): Reason {
  const params = Object.fromEntries(
    names.map((name, index) => {
      const value = values[index] ?? '';
      return [name, amount.test(value) ? Number(value) : value];
    }),
  );
  const inner = names.indexOf('reason');
  const cause = inner === -1 ? null : find(values[inner] ?? '');
  return { code, params, ...(cause ? { cause } : {}) };
}
