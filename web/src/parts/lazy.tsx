// A view whose code is loaded when it is first shown.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { Failed, Skeleton } from "./states";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => JSX.Element {
  let known: ComponentType<P> | null = null;
  return function Lazy(props: P): JSX.Element {
    const [loaded, setLoaded] = useState<ComponentType<P> | null>(() => known);
    const [failed, setFailed] = useState(false);
    const [round, setRound] = useState(0);
    useEffect(() => {
      if (known) return;
      setFailed(false);
      load().then(
        (component) => {
          known = component;
          setLoaded(() => component);
        },
        () => setFailed(true),
      );
    }, [round]);
    // A new version of the program has other files: then only loading the page again helps.
    if (failed) return <Failed error={new ApiError(0, "offline", "This part of the dashboard could not be loaded. If emend was updated, load the page again.")} retry={() => setRound((n) => n + 1)} />;
    const Component = loaded;
    return Component ? <Component {...props} /> : <Skeleton />;
  };
}
