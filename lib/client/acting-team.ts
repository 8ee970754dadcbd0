/**
 * The header that names the team of this page. It is read from what the page was rendered with, so that a tab that shows
 * one team never writes into another that was chosen in another tab.
 */
export function teamHeader(): Record<string, string> {
  if (typeof document === 'undefined') return {};
  const id = document.querySelector('[data-team-id]')?.getAttribute('data-team-id');
  return id ? { 'x-team-id': id } : {};
}
