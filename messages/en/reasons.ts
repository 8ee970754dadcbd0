import { errorMessages } from '@/lib/core/reasons/messages';

/** Sentences of rejections and failures by code, as the service writes them. */
export const reasons = errorMessages;
