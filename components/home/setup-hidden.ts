import { YEAR_SECONDS } from '@/lib/core/units';

/** Cookie set when the checklist is hidden in this browser, so that the server renders the page without it. */
export const setupHiddenCookie = 'setup-hidden';

export function storeSetupHidden(): void {
  document.cookie = `${setupHiddenCookie}=1; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
