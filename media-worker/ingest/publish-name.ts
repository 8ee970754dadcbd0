/** `live/`, `/live` and `live?x=1` all mean `live`: people copy server URLs with whatever is around them. */
export function appName(app: string): string {
  return withoutQuery(app).replace(/^\/+|\/+$/g, '');
}

/** The stream key inside a publish name; encoders may append `?user=…`. */
export function withoutQuery(name: string): string {
  const end = name.indexOf('?');
  return end === -1 ? name : name.slice(0, end);
}

/** What a log may know of a key: its last four characters, and nothing of keys too short to lose four. */
export function keyTail(key: string): string {
  return key.length < 12 ? '…' : `…${key.slice(-4)}`;
}
