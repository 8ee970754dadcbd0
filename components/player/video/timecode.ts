/** Formats seconds, rounded down, as "4:05" or "1:04:05". */
export function formatTimecode(seconds: number): string {
  const totalSeconds = Math.max(0, Math.floor(seconds));
  const padded = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor(totalSeconds / 60) % 60];
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(totalSeconds % 60)}`
    : `${minutes}:${padded(totalSeconds % 60)}`;
}
