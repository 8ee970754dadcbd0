/** Syntax of literals in a programming language. */
interface Notation {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly indent: string;
  readonly string: (value: string) => string;
  readonly key: (name: string) => string;
}

const quote = (value: string) => JSON.stringify(value);
const singleQuoted = (value: string) =>
  `'${quote(value)
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
    // Outside of brackets, __proto__ would set the prototype.
    if (name === '__proto__') return "['__proto__']";
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name);
  },
};

/** The escapes of a JSON string mean the same in Python. */
export const python: Notation = {
  null: 'None',
  true: 'True',
  false: 'False',
  indent: '    ',
  string: quote,
  key: quote,
};

/** A JSON value as a literal with one field per line. @param indent indentation of the lines after the first */
export function literal(value: unknown, notation: Notation, indent = ''): string {
  if (value === null || value === undefined) return notation.null;
  if (typeof value === 'boolean') return notation[`${value}`];
  if (typeof value === 'string') return notation.string(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + notation.indent;
  const lines = Array.isArray(value)
    ? value.map((item) => literal(item, notation, inner))
    : Object.entries(value).map(([name, item]) => `${notation.key(name)}: ${literal(item, notation, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}
