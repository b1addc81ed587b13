// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Engine} from "../../src/Engine.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {AccountId} from "../../src/ValueTypes.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {IAccounts} from "../../src/interfaces/IAccounts.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IOracle} from "../../src/interfaces/IOracle.sol";
import {Test, Vm} from "../Vm.sol";

/// The engine's storage, with collateral that the test sets.
contract Payer is PerpsState {
    constructor(IAccounts accounts_, address collateral_)
        PerpsState(IOracle(address(0)), collateral_)
        Engine(accounts_, address(this))
    {}

    function give(uint40 account, int256 amount) external {
        _pay(AccountId.wrap(account), amount);
    }

    function reward(uint40 payer, uint256 amount) external {
        _reward(AccountId.wrap(payer), amount);
    }

    function collateralOf(uint40 account) external view returns (int256) {
        return _holdings[AccountId.wrap(account)].collateral;
    }
}

contract RewardTest is Test {
    address private constant CALLER = address(0xCA11);

    Accounts private accounts;
    DevToken private usdc;
    Payer private payer;

    function setUp() public {
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(address(0x1), address(0x2), "openvenue")
            )
        );
        usdc = new DevToken("USD Coin", "USDC", 6);
        payer = new Payer(accounts, address(usdc));
        payer.give(2, 1e18);
    }

    function test_it_moves_whole_raw_units_to_the_account_of_the_caller() public {
        uint40 caller = accounts.open(CALLER);
        vm.expectEmit(address(payer));
        emit ILedger.Transferred(2, caller, address(usdc), 20_000);
        vm.prank(CALLER);
        payer.reward(2, 0.0200009999e18);
        vm.assertEq(payer.collateralOf(caller), 0.02e18);
        vm.assertEq(payer.collateralOf(2), 0.98e18);
    }

    function test_nobody_is_paid_less_than_a_raw_unit_or_without_an_account_or_by_himself()
        public
    {
        uint40 caller = accounts.open(CALLER);
        payer.give(caller, 1e18);
        vm.recordLogs();
        payer.reward(2, 1e18); // by this contract, which has no account
        vm.prank(CALLER);
        payer.reward(2, 1e12 - 1);
        vm.prank(CALLER);
        payer.reward(caller, 1e18);
        vm.assertEq(payer.collateralOf(caller), 1e18);
        vm.assertEq(payer.collateralOf(2), 1e18);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 0);
    }
}
