/** What the guest's shims ask of the host synchronously. Text in, text out; what is thrown reaches the guest as an error. */
export const guestServices: Readonly<Record<string, (text: string) => string>> = {}
