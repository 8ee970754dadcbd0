export { addMails, sendDueMails } from './outgoing-mails';
