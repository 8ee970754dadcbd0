import type { Catalogue } from '@/messages/catalogue';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { type ViewerRejectionCode, missingProofRejection } from '@/lib/core/access/playback-policy';

type RestrictedTexts = Catalogue['player']['restricted'];

/** Key of a rejection's title and text in the catalogue. */
type RejectionTextKey = {
  [Key in keyof RestrictedTexts]: RestrictedTexts[Key] extends { readonly title: string } ? Key : never;
}[keyof RestrictedTexts];

const textKeys: Readonly<Record<ViewerRejectionCode, RejectionTextKey>> = {
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
 * Key of a rejection's title and text in the catalogue.
 * @param code from the server; an unknown code has the texts of `denied`
 */
export const rejectionTextKeyOf = (code: string): RejectionTextKey =>
  (textKeys as Readonly<Partial<Record<string, RejectionTextKey>>>)[code] ?? 'denied';

/** Whether the rejection may end without an action of the viewer. */
export const isTemporary = (code: string): boolean =>
  code === 'not_yet_valid' || code === 'webhook_unreachable';

/** Whether the right password would end the rejection. A site or country stays rejected with any password. */
export const canPasswordHelp = (code: string): boolean =>
  code !== 'origin' && code !== 'country' && code !== 'country_unknown';

/** Rejection for a viewer without proof; null if the policy requires none. */
export const missingProofOf = (type: PublicPlaybackPolicy['type']): ViewerRejectionCode | null =>
  missingProofRejection({ type });
