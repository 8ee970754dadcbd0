import type { ProgramInput } from '@/lib/core/streams/program-state';

/** Keys of the control panel. Each selects an input to put on air, and Enter confirms. */
export const inputKeys: Readonly<Record<ProgramInput, string>> = { primary: '1', standby: '2', slate: '0' };

/** Opens and closes the health of a live stream. */
export const healthKey = 'h';

/** Keys of the problems on the home page. Enter follows the focused link. */
export const problemKeys = { next: 'j', previous: 'k', dismiss: 'e' } as const;

/** Keys of clips: open the editor, and set the start or end to the player's position. */
export const clipKeys = { open: 'c', start: 'i', end: 'o' } as const;

/** A group of keys in the list of shortcuts. */
export type KeyGroup = 'problems' | 'controlPanel' | 'clip' | 'clipEditor' | 'audience' | 'player';

const groupsByPath: readonly (readonly [path: RegExp, groups: readonly KeyGroup[]])[] = [
  [/^\/$/, ['problems']],
  [/^\/streams\/[^/]+$/, ['controlPanel', 'clipEditor', 'audience', 'player']],
  [/^\/assets\/[^/]+$/, ['clip', 'audience', 'player']],
  [/^\/sessions\/[^/]+$/, ['clipEditor', 'audience', 'player']],
  [/^\/audience$/, ['audience']],
];

/** Groups of keys that work on this page but not on every page. */
export const keyGroupsOf = (path: string): readonly KeyGroup[] =>
  groupsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? [];
