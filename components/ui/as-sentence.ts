/** An error message of the service, with a capital letter and a period. */
export function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}
