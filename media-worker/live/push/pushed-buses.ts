import type { RequestListener } from 'node:http';
import { newId } from '@/lib/infra/ids';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { sendFlv } from '@/media-worker/media/packets/send-flv';

const pushedPath = /^\/pushed\/([0-9a-f-]{36})$/;

export interface PushedBus {
  /** Where the process with the connection reads it. */
  readonly path: string;
  /** May be called twice. */
  close(): void;
}

/** Packets that another process of this machine sends to a target. */
export class PushedBuses {
  readonly #buses = new Map<string, PacketBus>();

  open(bus: PacketBus): PushedBus {
    const id = newId();
    this.#buses.set(id, bus);
    return { path: `/pushed/${id}`, close: () => void this.#buses.delete(id) };
  }

  /** `next` answers all other requests. */
  wrap(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = pushedPath.exec(request.url ?? '') ?? [];
      const bus = this.#buses.get(id);
      if (bus) void sendFlv(response, bus.reader()).then(() => response.end());
      else next(request, response);
    };
  }
}
