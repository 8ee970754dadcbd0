/**
 * Formats objects as comma-separated values (RFC 4180) with a column for each property name. Texts that spreadsheets would
 * run as a formula get a leading apostrophe.
 */
export function formatCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (rows.length === 0) return '';
  const columnNames = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columnNames, ...rows.map((row) => columnNames.map((name) => row[name]))];
  return lines.map((line) => `${line.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safeText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
