import type { ReactNode } from 'react';
import { WordsOf } from '@/app/words';
import type { Area } from '@/messages/catalogue';

/** `ui`: the buttons that copy a link. */
const areas: readonly Area[] = ['player', 'clips', 'ui'];

export default function WatchLayout({ children }: { children: ReactNode }) {
  return <WordsOf areas={areas}>{children}</WordsOf>;
}
