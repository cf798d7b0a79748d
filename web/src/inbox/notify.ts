// A word from the browser when something new waits for the person and the page is not looked at. Off until the person wants it.
import { toast } from "../app/toasts";
import { notifications } from "../app/preferences";

export const canNotify = (): boolean => typeof Notification !== "undefined";

export async function wantNotifications(): Promise<void> {
  const answer = canNotify() ? await Notification.requestPermission() : "denied";
  notifications.value = answer === "granted" ? "on" : "off";
  toast(answer === "granted" ? "The browser tells you when something needs you" : "The browser does not allow notifications for this page", answer === "granted" ? "done" : "failed");
}

let before: number | null = null;

// total: the server's number. Only a rise is news.
export function tellNeeds(total: number): void {
  const rose = before !== null && total > before;
  before = total;
  if (!rose || notifications.value !== "on" || !document.hidden || !canNotify() || Notification.permission !== "granted") return;
  const note = new Notification("emend needs you", { body: total === 1 ? "1 thing waits for you." : `${total} things wait for you.`, tag: "emend-needs" });
  note.onclick = () => (window.focus(), note.close());
}
