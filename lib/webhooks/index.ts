export { emitEvent } from './emit-event';
