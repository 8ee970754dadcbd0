/**
 * The header that names the team of this page. The team comes from the rendered page, not from a cookie, so that
 * a tab that shows one team never writes into a team that was chosen in another tab.
 */
export function teamHeader(): Record<string, string> {
  if (typeof document === 'undefined') return {};
  const id = document.querySelector('[data-team-id]')?.getAttribute('data-team-id');
  return id ? { 'x-team-id': id } : {};
}
