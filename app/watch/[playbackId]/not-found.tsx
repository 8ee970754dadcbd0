import { MessagePage } from '@/components/ui/message-page';

export default function WatchNotFound() {
  return (
    <MessagePage code="404" title="Nothing to watch here">
      There is no stream or video at this link. Check the link, or ask the person who sent it.
    </MessagePage>
  );
}
