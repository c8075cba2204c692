public enum WinchTerminal {}
