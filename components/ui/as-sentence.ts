/** A reason of the service, which begins in lower case and has no full stop, as a sentence of its own. */
export function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}
