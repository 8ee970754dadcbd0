import { MessagePage } from '@/components/ui/message-page';

export default function WatchNotFound() {
  return (
    <MessagePage code="404" title="Nothing to watch here">
      There is no stream or video at this address. Check the link, or ask whoever sent it: it may have been
      taken down.
    </MessagePage>
  );
}
