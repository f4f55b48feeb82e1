import type { ReceivedCall } from '../webhook-receiver.js';

type Json = Record<string, unknown>;

/** A message in a chat. */
export interface ChatMessage {
  id: string;
  /** The channel or webhook that it was posted by. */
  place: string;
  replyTo: string | null;
  /** What readers see now. */
  body: Json;
  edits: number;
  /** By which the service knows that it has the message already. */
  nonce?: string;
}

/** What a service answers. */
export interface RoomAnswer {
  status: number;
  body?: Json;
}

/** The messages of a chat, as a stand-in of its service keeps them. */
export class ChatRoom {
  readonly messages: ChatMessage[] = [];

  post(id: string, place: string, body: Json, replyTo: string | null = null): ChatMessage {
    const message = { id, place, replyTo, body, edits: 0 };
    this.messages.push(message);
    return message;
  }

  find(id: string, place: string): ChatMessage | undefined {
    return this.messages.find((message) => message.id === id && message.place === place);
  }

  edit(message: ChatMessage, body: Json): void {
    message.body = { ...message.body, ...body };
    message.edits++;
  }

  delete(message: ChatMessage): void {
    this.messages.splice(this.messages.indexOf(message), 1);
  }
}

/** A stand-in of a service: what it answers to a call, and what a reader sees of a message. */
export interface ChatService {
  /** Whether a message that is sent twice is taken once. */
  takesOnce?: boolean;
  /** Whether it takes an edit of a message that is gone, which nobody sees. */
  takesLostEdits?: boolean;
  answer(room: ChatRoom, call: ReceivedCall): RoomAnswer;
  /** @returns the title of a message and its colour */
  shown(message: ChatMessage): { title: string; text: string };
  /** The fields of a group that posts to a place of the stand-in. */
  group(url: string, place: string): object;
}
