import type { Translated } from '../catalogue';
import { accounts } from './reasons/accounts';
import { assets } from './reasons/assets';
import { inputs } from './reasons/inputs';
import { media } from './reasons/media';
import { network } from './reasons/network';
import { streams } from './reasons/streams';
import { viewing } from './reasons/viewing';
import { webrtc } from './reasons/webrtc';

export const reasons: Translated<'reasons'> = {
  ...accounts,
  ...assets,
  ...inputs,
  ...media,
  ...network,
  ...streams,
  ...viewing,
  ...webrtc,
};
