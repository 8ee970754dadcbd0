import type { ReactNode } from 'react';
import { WordsOf } from '@/app/words';
import type { Area } from '@/messages/catalogue';

const areas: readonly Area[] = ['audience', 'ui'];

export default function ReportLayout({ children }: { children: ReactNode }) {
  return <WordsOf areas={areas}>{children}</WordsOf>;
}
