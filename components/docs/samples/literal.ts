/** Syntax of literals in a programming language. */
interface Notation {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly indent: string;
  readonly string: (value: string) => string;
  readonly key: (name: string) => string;
}

const doubleQuoted = (value: string) => JSON.stringify(value);
/** The escapes of a JSON string, except that double quotes are plain and single quotes are escaped. */
const singleQuoted = (value: string) =>
  `'${doubleQuoted(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;

export const typeScript: Notation = {
  null: 'null',
  true: 'true',
  false: 'false',
  indent: '  ',
  string: singleQuoted,
  key: (name) => {
    // A key in brackets makes `__proto__` a normal property: with or without quotes, it would set the prototype.
    if (name === '__proto__') return "['__proto__']";
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name);
  },
};

/** Notation of Python, in which the escapes of a JSON string have the same meaning. */
export const python: Notation = {
  null: 'None',
  true: 'True',
  false: 'False',
  indent: '    ',
  string: doubleQuoted,
  key: doubleQuoted,
};

/**
 * Formats a JSON value as a literal of the language, with one field per line.
 * @param indent indentation of the lines after the first
 */
export function formatLiteral(value: unknown, notation: Notation, indent = ''): string {
  if (value === null || value === undefined) return notation.null;
  if (typeof value === 'boolean') return notation[`${value}`];
  if (typeof value === 'string') return notation.string(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const itemIndent = indent + notation.indent;
  const lines = Array.isArray(value)
    ? value.map((item) => formatLiteral(item, notation, itemIndent))
    : Object.entries(value).map(
        ([name, item]) => `${notation.key(name)}: ${formatLiteral(item, notation, itemIndent)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${itemIndent}${line},\n`).join('')}${indent}${close}`;
}
