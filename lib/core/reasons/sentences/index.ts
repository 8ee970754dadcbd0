import { accounts } from './accounts';
import { assets } from './assets';
import { inputs } from './inputs';
import { media } from './media';
import { network } from './network';
import { streams } from './streams';
import { viewing } from './viewing';

/** Every sentence that the service writes for a person, by code. */
export const errorMessages = {
  ...inputs,
  ...accounts,
  ...viewing,
  ...assets,
  ...media,
  ...network,
  ...streams,
} as const;

export type ReasonCode = keyof typeof errorMessages;
