import { quoteShellWord } from '@/lib/core/shell-word';

/** Shell command that reads an object. */
export function readCurl(url: string): string {
  return [`curl ${quoteShellWord(url)}`, '  -H "Authorization: Bearer $HEADWATER_API_KEY"'].join(' \\\n');
}

/** Node program that reads an object; `displayValue` is the expression that it prints from the variable `name`. */
export function readNode(url: string, name: string, displayValue: string): string {
  return [
    `const response = await fetch('${url}', {`,
    '  headers: { authorization: `Bearer ${process.env.HEADWATER_API_KEY}` },',
    '});',
    `const ${name} = await response.json();`,
    `console.log(${displayValue});`,
  ].join('\n');
}
