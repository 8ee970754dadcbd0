import type { Catalogue } from '@/messages/catalogue';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { type ViewerRejectionCode, missingProofRejection } from '@/lib/core/access/playback-policy';

type RestrictedTexts = Catalogue['player']['restricted'];

/** Title and text from the catalogue. */
type RejectionTexts = {
  [Key in keyof RestrictedTexts]: RestrictedTexts[Key] extends { readonly title: string } ? Key : never;
}[keyof RestrictedTexts];

const texts: Readonly<Record<ViewerRejectionCode, RejectionTexts>> = {
  malformed: 'invalid',
  algorithm: 'invalid',
  unknown_key: 'revoked',
  key_disabled: 'revoked',
  signature: 'invalid',
  other_action: 'invalid',
  other_playback: 'invalid',
  no_expiry: 'invalid',
  not_yet_valid: 'early',
  expired: 'expired',
  revoked: 'revoked',
  token_required: 'needsLink',
  password_required: 'needsLink',
  access_key_required: 'needsSite',
  access_key_too_long: 'invalid',
  origin: 'site',
  country: 'country',
  country_unknown: 'countryUnknown',
  denied: 'denied',
  webhook_unreachable: 'unreachable',
};

/**
 * Texts for a rejection.
 * @param code from the origin; an unknown one gets the general rejection
 */
export const rejectionTextsOf = (code: string): RejectionTexts =>
  (texts as Readonly<Partial<Record<string, RejectionTexts>>>)[code] ?? 'denied';

/** Whether the rejection may end without an action of the viewer. */
export const retriesItself = (code: string): boolean =>
  code === 'not_yet_valid' || code === 'webhook_unreachable';

/** Whether the right password would help. */
export const asksForPassword = (code: string): boolean =>
  code !== 'origin' && code !== 'country' && code !== 'country_unknown';

/** Rejection for a viewer without proof; null if the policy requires none. */
export const missingProofOf = (type: PublicPlaybackPolicy['type']): ViewerRejectionCode | null =>
  missingProofRejection({ type });
