const longest = 300;

/** A line of ffmpeg's messages without secrets: what was named, and the path of every RTMP or SRT address. */
export function redactLine(line: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret.length > 0)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line);
  return known.replace(/\b((?:rtmps?|srt):\/\/[^\s/'"]*)[^\s'"]*/gi, '$1/[redacted]').slice(0, longest);
}
