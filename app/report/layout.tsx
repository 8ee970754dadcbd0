import type { ReactNode } from 'react';
import { AreaMessagesProvider } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** Message areas of the playback report. The button that copies its link needs `ui`. */
const areas: readonly Area[] = ['audience', 'ui'];

export default function ReportLayout({ children }: { children: ReactNode }) {
  return <AreaMessagesProvider areas={areas}>{children}</AreaMessagesProvider>;
}
