/** Wraps a shell argument so that no character in it means anything to a POSIX shell (dots of a masked key do not). */
export function quote(argument: string): string {
  return /^[\w@%+=:,./•-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** "Give me this object" in a terminal. */
export function readCurl(url: string): string {
  return [`curl ${quote(url)}`, '  -H "Authorization: Bearer $HEADWATER_API_KEY"'].join(' \\\n');
}

/** The same in Node; `shown` is what the example makes of the object called `name`. */
export function readNode(url: string, name: string, displayValue: string): string {
  return [
    `const response = await fetch('${url}', {`,
    '  headers: { authorization: `Bearer ${process.env.HEADWATER_API_KEY}` },',
    '});',
    `const ${name} = await response.json();`,
    `console.log(${displayValue});`,
  ].join('\n');
}
