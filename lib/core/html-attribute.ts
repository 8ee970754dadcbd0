/** Text as the value of an HTML attribute, with its quotes: nothing in it can end the attribute. */
export function quotedAttribute(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
}
