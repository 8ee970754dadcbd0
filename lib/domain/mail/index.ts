export { enqueueMails, sendDueMails } from './outgoing-mails';
