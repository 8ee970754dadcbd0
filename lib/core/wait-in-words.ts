const minute = 60;
const hour = 3_600;

/** How long to wait, rounded up: "40 seconds", "12 minutes", "3 hours". */
export function waitInWords(seconds: number): string {
  if (seconds <= minute) return count(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 2 * hour) return count(Math.ceil(seconds / minute), 'minute');
  return count(Math.ceil(seconds / hour), 'hour');
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`;
