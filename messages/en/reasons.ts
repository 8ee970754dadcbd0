import { errorMessages } from '@/lib/core/reasons/messages';

/** Why something was refused or failed, by code: the sentences as the service writes them. */
export const reasons = errorMessages;
