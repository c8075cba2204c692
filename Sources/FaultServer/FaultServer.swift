public enum FaultServer {}
