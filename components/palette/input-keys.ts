import type { ProgramInput } from '@/lib/core/streams/program-state';

/** Keys of the control panel: each asks to put an input on air, and Enter confirms. */
export const inputKeys: Readonly<Record<ProgramInput, string>> = { primary: '1', standby: '2', slate: '0' };

/** Opens and closes the health of a live stream. */
export const healthKey = 'h';
