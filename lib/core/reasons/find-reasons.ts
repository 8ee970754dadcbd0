import type { ReasonCode } from './messages';

/**
 * Why a request was rejected or a task failed, for programs: a code with the parameters of its message. The service stores
 * and logs messages only; their codes are determined in the API (docs/adr/0032-texts-in-catalogues.md).
 */
export interface Reason {
  readonly code: ReasonCode;
  readonly params: Readonly<Record<string, string | number>>;
  /** The field of the request that the message names first. */
  readonly field?: string;
  /** The reason of the message in `params.reason`. */
  readonly cause?: Reason;
}

interface Template {
  readonly code: ReasonCode;
  /** The fixed text before, between and after the parameters. */
  readonly texts: readonly string[];
  readonly parameterNames: readonly string[];
}

type ReasonFinder = (message: string) => Reason | null;

/** Maximum length of a message with a code. Longer messages contain output of other programs. */
const MAX_LENGTH = 2_000;
/** Maximum number of reasons inside each other. */
const MAX_DEPTH = 3;

/**
 * Creates a function that finds the reason of a message by the templates of messages. The function returns null for messages
 * without a template, such as those of another server.
 * @param messages templates of messages by code, with parameters in braces
 */
export function createReasonFinder(messages: Readonly<Partial<Record<ReasonCode, string>>>): ReasonFinder {
  const codesOfFixedMessages = new Map<string, ReasonCode>();
  const templates: Template[] = [];
  for (const [code, message] of Object.entries(messages) as [ReasonCode, string][]) {
    const parts = message.split(/\{(\w+)\}/);
    // `split` with a group returns the texts at even and the names of the parameters at odd indexes.
    const [texts, parameterNames] = [0, 1].map((parity) => parts.filter((_, index) => index % 2 === parity));
    if (parts.length === 1) codesOfFixedMessages.set(message, code);
    else templates.push({ code, texts: texts ?? [], parameterNames: parameterNames ?? [] });
  }
  const fixedLengthOf = ({ texts }: Template) => texts.join('').length;
  // Templates with more fixed text are tried first: "must be at least {limit}" before "must be {json}".
  templates.sort((a, b) => fixedLengthOf(b) - fixedLengthOf(a));
  const find = (message: string, depth = 0): Reason | null => {
    if (message.length > MAX_LENGTH || depth > MAX_DEPTH) return null;
    const code = codesOfFixedMessages.get(message);
    if (code) return { code, params: {} };
    for (const template of templates) {
      const values = matchTemplate(message, template);
      if (values) return createReason(template, values, (inner) => find(inner, depth + 1));
    }
    return null;
  };
  return (message) => find(message) ?? findFieldReason(message, find);
}

/** Pattern of a message that starts with the name of a field, such as `profiles[0].width: must be at least 128`. */
const fieldPrefixPattern = /^([A-Za-z_][\w.[\]-]*): (.+)$/s;

function findFieldReason(message: string, find: ReasonFinder): Reason | null {
  const [, field, description] = fieldPrefixPattern.exec(message.slice(0, MAX_LENGTH)) ?? [];
  const reason = description === undefined ? null : find(description);
  return reason && field !== undefined ? { ...reason, field } : null;
}

/**
 * Matches a message with a template. Each parameter ends at the first occurrence of the text that follows it in the
 * template.
 * @returns the values of the parameters; null if the message does not match
 */
function matchTemplate(message: string, { texts, parameterNames }: Template): string[] | null {
  const [prefix = ''] = texts;
  const suffix = texts.at(-1) ?? '';
  if (!message.startsWith(prefix) || !message.endsWith(suffix)) return null;
  const values: string[] = [];
  let position = prefix.length;
  for (const [index, name] of parameterNames.entries()) {
    const isLast = index === parameterNames.length - 1;
    const textAfter = texts[index + 1] ?? '';
    const end = isLast ? message.length - suffix.length : message.indexOf(textAfter, position + 1);
    if (end <= position) return null;
    const value = message.slice(position, end);
    if (name === 'json' && !jsonLiteralPattern.test(value)) return null;
    values.push(value);
    position = end + textAfter.length;
  }
  return values;
}

const jsonLiteralPattern = /^(".*"|-?\d[\d.]*|true|false|null)$/s;
const numberPattern = /^-?\d{1,15}(\.\d{1,15})?$/;

function createReason(
  { code, parameterNames }: Template,
  values: readonly string[],
  find: ReasonFinder,
): Reason {
  const params = Object.fromEntries(
    parameterNames.map((name, index) => {
      const value = values[index] ?? '';
      return [name, numberPattern.test(value) ? Number(value) : value];
    }),
  );
  const reasonIndex = parameterNames.indexOf('reason');
  const cause = reasonIndex === -1 ? null : find(values[reasonIndex] ?? '');
  return { code, params, ...(cause ? { cause } : {}) };
}
