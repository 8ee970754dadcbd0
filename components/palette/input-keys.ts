import type { ProgramInput } from '@/lib/core/streams/program-state';

/** Keys of the control panel: each asks for an input, Enter puts it on air. */
export const inputKeys: Readonly<Record<ProgramInput, string>> = { primary: '1', standby: '2', slate: '0' };
