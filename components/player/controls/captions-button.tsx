'use client';

import { Captions as CaptionsIcon } from 'lucide-react';
import type { Captions } from '../video/captions';
import { ControlButton } from './control-button';

/** Switches captions on and off. */
export default function CaptionsButton({ captions }: { captions: Captions }) {
  return (
    <ControlButton label="Captions" pressed={captions.shown >= 0} onClick={captions.toggle}>
      <CaptionsIcon />
    </ControlButton>
  );
}
