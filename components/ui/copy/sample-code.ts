import { quoteShellWord } from '@/lib/core/shell-word';

/** curl command that reads an object. The API key is the environment variable HEADWATER_API_KEY. */
export function readCurl(url: string): string {
  return [`curl ${quoteShellWord(url)}`, '  -H "Authorization: Bearer $HEADWATER_API_KEY"'].join(' \\\n');
}

/**
 * Node.js code that reads an object and prints a value of it. The API key is the environment variable HEADWATER_API_KEY.
 * @param variable name of the variable for the object, such as "stream"
 * @param printedExpression expression with that variable
 */
export function readNode(url: string, variable: string, printedExpression: string): string {
  return [
    `const response = await fetch('${url}', {`,
    '  headers: { authorization: `Bearer ${process.env.HEADWATER_API_KEY}` },',
    '});',
    `const ${variable} = await response.json();`,
    `console.log(${printedExpression});`,
  ].join('\n');
}
