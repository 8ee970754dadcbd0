import { yearSeconds } from '@/lib/core/units';

/** Set once the checklist was hidden in this browser. A cookie, so that the server sends the page without it. */
export const setupHiddenCookie = 'setup-hidden';

export function hideSetup(): void {
  document.cookie = `${setupHiddenCookie}=1; path=/; max-age=${yearSeconds}; samesite=lax`;
}
