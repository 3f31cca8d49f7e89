/** Made by `build/messages.ts`: how the sentences of a room are loaded, by `{room}.{language}`. */
declare module 'virtual:messages' {
  const rooms: Record<string, () => Promise<{ default: Record<string, string> }>>;
  export default rooms;
}
