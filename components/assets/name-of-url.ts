/** A name for the file at a URL: the last path segment without its extension, or "Import". */
export function nameOfUrl(url: string): string {
  if (!URL.canParse(url.trim())) return 'Import';
  const last = new URL(url.trim()).pathname.split('/').findLast((part) => part !== '') ?? '';
  return decoded(last).replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'Import';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
